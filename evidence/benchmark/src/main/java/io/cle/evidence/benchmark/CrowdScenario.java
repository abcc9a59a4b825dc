package io.cle.evidence.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

import io.cle.evidence.benchmark.Results.Contestant;
import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Pause;
import io.cle.test.apiserver.memory.RequestCounts;

/** Ten replicas of one version start together; after a minute, requests are counted for another one. */
final class CrowdScenario implements Scenario {

    private static final int REPLICAS = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Override
    public int trials(Options options) {
        return 1;
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        RequestCounts coordinator = aMinute(lab);
        RequestCounts ours = crowd(lab, results, Contestant.OURS, index -> lab.ours("crowd", "r" + index, "1.1.0"));
        RequestCounts clientJava =
                crowd(lab, results, Contestant.CLIENT_JAVA, index -> lab.clientJava("client-java-crowd", "r" + index));
        results.add(Line.IDLE_COORDINATOR, Contestant.OURS, (double) coordinator.total());
        results.add(Line.IDLE, Contestant.OURS, (double) (ours.total() - coordinator.total()));
        results.add(Line.IDLE, Contestant.CLIENT_JAVA, (double) (clientJava.total() - coordinator.total()));
        results.remark("Requests in an idle minute, counted by kube-apiserver: coordinator alone "
                + coordinator + ", with a lease and ten candidates of ours "
                + ours + "; with client-java's ten instead " + clientJava
                + ".");
    }

    private static RequestCounts crowd(Lab lab, Results results, Contestant contestant, IntFunction<Contender> start)
            throws InterruptedException {
        List<Contender> crowd = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            crowd.add(start.apply(i));
        }
        for (Contender contender : crowd) {
            contender.await("boot", PATIENCE);
        }
        Pause.of(MINUTE);
        long terms = crowd.stream()
                .mapToLong(contender -> contender.count("granted"))
                .sum();
        results.add(Line.CROWD_TERMS, contestant, (double) terms);
        results.add(Line.CROWD_REVERSALS, contestant, (double) Math.max(0, terms - 1));
        RequestCounts requests = aMinute(lab);
        lab.end(crowd.toArray(Contender[]::new));
        return requests;
    }

    private static RequestCounts aMinute(Lab lab) throws InterruptedException {
        RequestCounts before = lab.requests();
        Pause.of(MINUTE);
        return lab.requests().since(before);
    }
}
