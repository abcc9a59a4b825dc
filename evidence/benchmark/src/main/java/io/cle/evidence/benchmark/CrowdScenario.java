package io.cle.evidence.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Pause;
import io.cle.test.apiserver.memory.RequestCounts;

/** Ten replicas of one version start together; after a minute, requests are counted for another minute. */
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
        RequestCounts all = crowd(lab, results);
        results.add(Line.IDLE_COORDINATOR, (double) coordinator.total());
        results.add(Line.IDLE, (double) (all.total() - coordinator.total()));
        results.remark("Requests in an idle minute, counted by kube-apiserver: coordinator alone " + coordinator
                + ", with a lease and ten candidates " + all + ".");
    }

    private static RequestCounts crowd(Lab lab, Results results) throws InterruptedException {
        List<Contender> crowd = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            crowd.add(lab.ours("crowd", "r" + i, "1.1.0"));
        }
        for (Contender contender : crowd) {
            contender.await("boot", PATIENCE);
        }
        Pause.of(MINUTE);
        long terms = crowd.stream()
                .mapToLong(contender -> contender.count("granted"))
                .sum();
        results.add(Line.CROWD_TERMS, (double) terms);
        results.add(Line.CROWD_REVERSALS, (double) Math.max(0, terms - 1));
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
