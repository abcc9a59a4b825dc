package io.cle.evidence.benchmark;

import java.time.Duration;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Event;
import io.cle.evidence.process.Pause;

/** Our locks on a native cluster, where kube-apiserver elects. */
final class NativeScenario implements Scenario {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        String lease = "native-" + number;
        Contender old = lab.ours(lease, "a", "1.1.0", "--cle.api=native");
        Event oldBoot = old.await("boot", PATIENCE);
        results.add(Line.NATIVE_FIRST, old.await("granted", PATIENCE).millisSince(oldBoot));
        Pause.untilCandidatesAreAsked();

        Contender better = lab.ours(lease, "b", "1.0.0", "--cle.api=native");
        Event boot = better.await("boot", PATIENCE);
        Event granted = better.await("granted", PATIENCE);
        results.add(Line.NATIVE_BETTER, granted.millisSince(boot));
        results.add(Line.NATIVE_GAP, granted.millisSince(old.await("revoked", PATIENCE)));

        Pause.untilCandidatesAreAsked();
        long told = better.terminate();
        Event back = old.await("granted", told, PATIENCE);
        results.add(Line.NATIVE_TERMINATED, back.millisSince(told));
        lab.end(old, better);
    }
}
