package io.cle.spring.onleader;

import java.time.Instant;
import java.util.Optional;

import io.cle.Shard;
import io.cle.Term;
import io.cle.TermEndedException;
import io.cle.model.ObjectKey;

/** The bean of type {@link Term}. It delegates to the term of the led work that the calling thread runs. */
final class CallersTerm implements Term {

    @Override
    public ObjectKey lease() {
        return running().lease();
    }

    @Override
    public Optional<Shard> shard() {
        return running().shard();
    }

    @Override
    public String identity() {
        return running().identity();
    }

    @Override
    public long fencingToken() {
        return running().fencingToken();
    }

    @Override
    public Instant acquireTime() {
        return running().acquireTime();
    }

    @Override
    public boolean isValid() {
        return Term.current().filter(Term::isValid).isPresent();
    }

    @Override
    public void check() {
        running().check();
    }

    private static Term running() {
        return Term.current()
                .orElseThrow(() -> new TermEndedException("thread '"
                        + Thread.currentThread().getName() + "' runs no @OnLeader work, so it belongs to no term"));
    }
}
