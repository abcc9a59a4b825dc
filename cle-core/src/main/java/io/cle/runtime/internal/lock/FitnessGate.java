package io.cle.runtime.internal.lock;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.cle.lock.internal.Fitness;
import io.cle.lock.internal.Fitness.Standing;
import io.cle.lock.internal.Fitness.Step;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockState;
import io.cle.model.Candidate;
import io.cle.model.internal.ApiResult;
import io.cle.runtime.internal.loop.EventLoop;
import io.cle.store.internal.CandidateStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what {@link Fitness} decides for a lock. All of it runs on the loop. */
final class FitnessGate {

    private static final Logger log = LoggerFactory.getLogger(FitnessGate.class);

    private final LockConfig config;
    private final Supplier<@Nullable CandidateStore> candidates;
    private final EventLoop loop;
    private final MachineRunner runner;
    private final LockJournal journal;
    private final Lock lock;

    private Fitness fitness = Fitness.INITIAL;
    private String problem = "";
    /** The lock calls again from within its own callbacks. */
    private boolean deciding;

    /** The lock behind the gate. */
    interface Lock {

        /** What it is; empty while it isn't to run. */
        Optional<Standing> standing();

        /** Whether the lease names another holder. */
        boolean ledByAnother();

        /** Becomes a candidate. */
        void join();

        /** Withdraws its candidacy, and follows the lease. */
        void withdraw();

        /** Ends its term, releases the lease, and withdraws its candidacy. */
        void handOver();
    }

    /**
     * A gate that is open.
     *
     * @param candidates supplies the store of candidates; {@code null} for a direct lock, and while no candidates are served
     */
    FitnessGate(
            LockConfig config,
            Supplier<@Nullable CandidateStore> candidates,
            EventLoop loop,
            LockJournal journal,
            Lock lock) {
        this.config = config;
        this.candidates = candidates;
        this.loop = loop;
        this.journal = journal;
        this.lock = lock;
        this.runner = new MachineRunner(config.lease(), loop, journal, this::decide);
    }

    /** Whether this process may lead; {@code null}, or what forbids it. */
    void setProblem(@Nullable String found) {
        problem = found == null ? "" : found;
        fitness = fitness.changed(found == null, loop.clock().now().nanos());
        decide();
    }

    void termBegan() {
        fitness = fitness.termBegan(loop.clock().now().nanos());
    }

    /** To be called whenever something may have changed. */
    void decide() {
        if (deciding) {
            return;
        }
        Step step;
        do {
            Standing standing = lock.standing().orElse(null);
            if (standing == null) {
                runner.wakeAt(LockState.NEVER);
                return;
            }
            long now = loop.clock().now().nanos();
            step = fitness.next(standing, lock.ledByAnother(), candidates.get() != null, config.timings(), now);
            carryOut(step);
        } while (step.decision() != Fitness.Decision.STAY);
        runner.wakeAt(step.wakeAt());
    }

    private void carryOut(Step step) {
        fitness = step.next();
        deciding = true;
        try {
            carryOut(step.decision());
        } finally {
            deciding = false;
        }
    }

    private void carryOut(Fitness.Decision decision) {
        switch (decision) {
            case STAY -> {}
            case JOIN -> {
                if (!fitness.fit()) {
                    tell("is a candidate again, although " + problem + ": no other candidate has taken over");
                }
                lock.join();
            }
            case WITHDRAW -> {
                tell("withdraws its candidacy, because " + problem);
                lock.withdraw();
            }
            case HAND_OVER -> {
                tell("hands over to another candidate, because " + problem);
                lock.handOver();
            }
            case FIND_OTHERS -> findOthers();
        }
    }

    private void tell(String what) {
        journal.remember(what);
        log.info("lease {}: {}", config.lease(), what);
    }

    private void findOthers() {
        CandidateStore store = candidates.get();
        if (store == null) {
            throw new IllegalStateException("there are no candidates to be found");
        }
        runner.request(() -> store.list(config.lease()), result -> {
            if (result instanceof ApiResult.Ok<List<Candidate>> found) {
                carryOut(fitness.othersFound(
                        lock.standing().orElse(Standing.NONE),
                        others(found.value(), loop.clock().wall()),
                        loop.clock().now().nanos()));
            } else {
                journal.report("the other candidates can't be listed: " + result.describe()
                        + "; this process leads on, although " + problem);
            }
            decide();
        });
    }

    /** Those that haven't expired, by this machine's clock: at worst a hand-over comes late, or is taken back. */
    private List<String> others(List<Candidate> all, Instant now) {
        return all.stream()
                .filter(candidate -> !candidate.identity().equals(config.identity()))
                .filter(candidate -> candidate.renewTime() != null
                        && candidate.renewTime().plus(candidate.validity()).isAfter(now))
                .map(Candidate::identity)
                .toList();
    }
}
