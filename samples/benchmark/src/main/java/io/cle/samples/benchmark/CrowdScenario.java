package io.cle.samples.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

import io.cle.samples.benchmark.Results.Contestant;

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
        RequestCount coordinator = aMinute(lab);
        RequestCount ours = crowd(lab, results, Contestant.OURS, index -> lab.ours("crowd", "r" + index, "1.1.0"));
        RequestCount clientJava =
                crowd(lab, results, Contestant.CLIENT_JAVA, index -> lab.clientJava("client-java-crowd", "r" + index));
        results.add(Line.IDLE_COORDINATOR, Contestant.OURS, coordinator.total());
        results.add(Line.IDLE, Contestant.OURS, ours.total() - coordinator.total());
        results.add(Line.IDLE, Contestant.CLIENT_JAVA, clientJava.total() - coordinator.total());
        results.remark("Requests in an idle minute, counted by kube-apiserver: coordinator alone "
                + coordinator.byVerbAndResource() + ", with a lease and ten candidates of ours "
                + ours.byVerbAndResource() + "; with client-java's ten instead " + clientJava.byVerbAndResource()
                + ".");
    }

    private static RequestCount crowd(Lab lab, Results results, Contestant contestant, IntFunction<Contender> start)
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
        RequestCount requests = aMinute(lab);
        lab.end(crowd.toArray(Contender[]::new));
        return requests;
    }

    private static RequestCount aMinute(Lab lab) throws InterruptedException {
        RequestCount before = lab.requests();
        Pause.of(MINUTE);
        return lab.requests().since(before);
    }
}
