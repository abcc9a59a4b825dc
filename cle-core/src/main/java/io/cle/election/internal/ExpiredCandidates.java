package io.cle.election.internal;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes expired candidates, a few at a time and each only in the version that was seen to expire (safety.md#expired-candidates). Thousands of
 * candidates may expire at once, when a namespace's applications are gone: their requests must not keep those of an election waiting, nor fill
 * the log. No election waits for a removal, because an expired candidate isn't elected anyway. Confined to the event loop.
 */
final class ExpiredCandidates {

    /** How many requests may be on their way at a time, whatever the number of leases. */
    static final int AT_ONCE = 8;

    private static final Logger log = LoggerFactory.getLogger(ExpiredCandidates.class);

    private final CandidateClient store;
    private final BooleanSupplier coordinating;
    private final BiConsumer<Candidate, ApiResult<?>> answered;

    private final Map<ObjectKey, Candidate> waiting = new LinkedHashMap<>();
    private int underWay;
    private boolean sending;

    /** What is reported when nothing is under way any more. */
    private int removed;

    private @Nullable Candidate firstRemoved;
    private int failed;
    private String firstFailed = "";
    private String firstFailure = "";

    /**
     * Nothing is to be removed yet.
     *
     * @param coordinating whether this replica coordinates; what still waits when it doesn't is left to the one that does
     * @param answered takes each candidate with the answer to the request that was to remove it
     */
    ExpiredCandidates(
            CandidateClient store, BooleanSupplier coordinating, BiConsumer<Candidate, ApiResult<?>> answered) {
        this.store = store;
        this.coordinating = coordinating;
        this.answered = answered;
    }

    /** Removes candidates, as soon as it is their turn. */
    void remove(Collection<Candidate> expired) {
        expired.forEach(candidate -> waiting.put(candidate.key(), candidate));
        send();
    }

    private void send() {
        if (sending) {
            return;
        }
        sending = true;
        while (underWay < AT_ONCE && !waiting.isEmpty() && coordinating.getAsBoolean()) {
            Candidate next = waiting.values().iterator().next();
            waiting.remove(next.key());
            underWay++;
            store.delete(next.key(), Optional.ofNullable(next.resourceVersion()))
                    .thenAccept(result -> answered(next, result));
        }
        sending = false;
        if (!coordinating.getAsBoolean()) {
            waiting.clear();
        }
        if (underWay == 0) {
            report();
        }
    }

    private void answered(Candidate candidate, ApiResult<?> result) {
        underWay--;
        if (result instanceof ApiResult.Ok<?>) {
            firstRemoved = removed++ == 0 ? candidate : firstRemoved;
        } else if (!(result instanceof ApiResult.Conflict<?>)) {
            if (failed++ == 0) {
                firstFailed = candidate.key().toString();
                firstFailure = result.describe();
            }
            // A missing right, or an API server that is away, would answer the others of the namespace in the same way.
            waiting.keySet()
                    .removeIf(other -> other.namespace().equals(candidate.key().namespace()));
        }
        answered.accept(candidate, result);
        send();
    }

    private void report() {
        if (firstRemoved != null) {
            log.info(
                    "candidate {} has not renewed for {} and was removed{}",
                    firstRemoved.key(),
                    firstRemoved.validity(),
                    removed == 1 ? "" : "; so were " + (removed - 1) + " others that had expired");
        }
        if (failed > 0) {
            log.warn(
                    "expired candidate {} could not be removed: {}",
                    firstFailed,
                    firstFailure + (failed == 1 ? "" : " (and " + (failed - 1) + " others)"));
        }
        firstRemoved = null;
        removed = 0;
        failed = 0;
    }
}
