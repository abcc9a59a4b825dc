package io.cle.evidence.benchmark;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

import io.cle.evidence.process.Contender;
import io.cle.evidence.process.Pause;
import io.cle.evidence.process.Series;
import io.cle.evidence.process.UnixTime;
import io.cle.test.apiserver.memory.RequestCounts;

/** The idle cost of eight processes that share 64 shards, and of eight that are candidates for 64 leases. */
final class ShardRestScenario implements Scenario {

    /** The prefix of the independent leases' names. */
    private static final String PART = "part-";

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final double KIB_PER_MIB = 1024;

    @Override
    public int trials(Options options) {
        return 1;
    }

    @Override
    public void trial(int number, Lab lab, Results results) throws InterruptedException {
        RequestCounts coordinator = aMinute(lab);

        ShardedService service = new ShardedService(lab, "orders");
        long since = UnixTime.now();
        service.awaitBalance(since, service.startAll("1.0.0"));
        Pause.of(MINUTE);
        RequestCounts shards = aMinute(lab);
        results.add(Line.SHARDS_REQUESTS, (double) (shards.total() - coordinator.total()));
        add(results, service.running(), Line.SHARDS_THREADS, Line.SHARDS_MEMORY);
        service.end();

        List<Contender> processes = independent(lab);
        Pause.of(MINUTE);
        RequestCounts leases = aMinute(lab);
        results.add(Line.LEASES_REQUESTS, (double) (leases.total() - coordinator.total()));
        Comparator<Contender> byTerms = Comparator.comparingLong(process -> process.count("granted"));
        Contender leader = processes.stream().max(byTerms).orElseThrow();
        add(results, List.of(leader), Line.LEADER_THREADS, Line.LEADER_MEMORY);
        add(
                results,
                processes.stream().filter(process -> process != leader).toList(),
                Line.FOLLOWER_THREADS,
                Line.FOLLOWER_MEMORY);
        results.remark("Requests in an idle minute, counted by kube-apiserver: coordinator alone " + coordinator
                + ", with 64 shards " + shards + ", with 64 leases " + leases + ".");
        lab.end(processes.toArray(Contender[]::new));
    }

    /**
     * Starts eight processes with 64 leases, one after the other. All at once, their thousand watches and five hundred
     * candidates would take two cores longer than the request timeout.
     */
    private static List<Contender> independent(Lab lab) throws InterruptedException {
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < ShardedService.SHARDS; i++) {
            arguments.add("--cle.leases." + PART + i + ".candidate.enabled=true");
        }
        List<Contender> processes = new ArrayList<>();
        for (int i = 0; i < ShardedService.PROCESSES; i++) {
            Contender process = lab.ours("independent", "p" + i, "1.0.0", arguments.toArray(String[]::new));
            processes.add(process);
            process.await("boot", MINUTE.multipliedBy(5));
            // There is one more term: the default lease's.
            lab.await("a leader for each lease", () -> terms(processes) > ShardedService.SHARDS);
            int candidates = processes.size() * ShardedService.SHARDS;
            lab.await("the candidates of " + processes.size() + " processes", () -> lab.candidates(PART) >= candidates);
        }
        return processes;
    }

    private static long terms(List<Contender> processes) {
        ToLongFunction<Contender> led = process -> process.count("granted") - process.count("revoked");
        return processes.stream().mapToLong(led).sum();
    }

    private static void add(Results results, List<Contender> processes, Line threads, Line memory) {
        Series threadsOfEach = new Series();
        Series memoryOfEach = new Series();
        for (Contender process : processes) {
            process.status("Threads").ifPresent(threadsOfEach::add);
            process.status("VmRSS").ifPresent(kib -> memoryOfEach.add(kib / KIB_PER_MIB));
        }
        if (!threadsOfEach.isEmpty()) {
            results.add(threads, threadsOfEach.median());
            results.add(memory, memoryOfEach.median());
        }
    }

    private static RequestCounts aMinute(Lab lab) throws InterruptedException {
        RequestCounts before = lab.requests();
        Pause.of(MINUTE);
        return lab.requests().since(before);
    }
}
