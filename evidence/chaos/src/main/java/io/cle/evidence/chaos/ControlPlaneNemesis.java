package io.cle.evidence.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.cle.test.apiserver.real.RealControlPlane;

/** Attacks the control plane: one of its processes, the connections between them, or all. Confined to one thread. */
final class ControlPlaneNemesis {

    private static final List<Fault> FAULTS = Fault.drawnFor(Fault.Target.CONTROL_PLANE);

    private final ControlPlane controlPlane;
    private final RealControlPlane processes;
    private final FencedFile file;
    private final Journal journal;
    private final Random random;

    ControlPlaneNemesis(ControlPlane controlPlane, FencedFile file, Journal journal, Random random) {
        this.controlPlane = controlPlane;
        this.processes = controlPlane.processes();
        this.file = file;
        this.journal = journal;
        this.random = random;
    }

    /** Injects a fault, and waits until it is over and a while longer. */
    void strike() {
        Fault drawn = FAULTS.get(random.nextInt(FAULTS.size()));
        Fault fault = drawn == Fault.RESTORE && !processes.hasBackup() ? Fault.ETCD : drawn;
        Duration time = Duration.ofMillis(
                200 + (long) (random.nextDouble() * fault.longest().toMillis()));
        int number = number(fault);
        String target = target(fault, number);
        System.out.println(target + ": " + fault + " " + time.toMillis() + " ms");
        long from = System.nanoTime();
        try {
            strike(fault, number, time);
        } finally {
            journal.fault(from, fault, target);
        }
        Chaos.pause(Duration.ofMillis(200 + random.nextInt(3800)));
    }

    /** Draws a member or kube-apiserver; every other time, the member is etcd's leader. */
    private int number(Fault fault) {
        return switch (fault) {
            case API_SERVER, API_FROM_ETCD -> random.nextInt(RealControlPlane.API_SERVERS);
            default -> {
                int any = random.nextInt(RealControlPlane.MEMBERS);
                yield random.nextBoolean() ? processes.etcdLeader().orElse(any) : any;
            }
        };
    }

    private static String target(Fault fault, int number) {
        return switch (fault) {
            case API_SERVER, API_FROM_ETCD -> "kube-apiserver-" + number;
            case MEMBER, ISOLATE -> "etcd-" + number;
            case PART -> "etcd-" + number + "/etcd-" + next(number);
            default -> "etcd";
        };
    }

    private static int next(int member) {
        return (member + 1) % RealControlPlane.MEMBERS;
    }

    private void strike(Fault fault, int number, Duration time) {
        switch (fault) {
            case API_SERVER ->
                Chaos.during(time, () -> processes.stopApiServer(number), () -> processes.startApiServer(number));
            case API_FROM_ETCD ->
                Chaos.during(
                        time,
                        () -> controlPlane.cutFromEtcd(number, true),
                        () -> controlPlane.cutFromEtcd(number, false));
            case MEMBER -> Chaos.during(time, () -> processes.stopMember(number), () -> processes.startMember(number));
            case ISOLATE ->
                Chaos.during(time, () -> controlPlane.isolate(number, true), () -> controlPlane.isolate(number, false));
            case PART ->
                Chaos.during(
                        time,
                        () -> controlPlane.part(number, next(number), true),
                        () -> controlPlane.part(number, next(number), false));
            case COMPACT -> processes.compact();
            case ETCD -> {
                processes.stopEtcd();
                Chaos.pause(time);
                processes.backUpEtcd();
                processes.startEtcd();
            }
            case RESTORE -> restore(time);
            default -> throw new IllegalStateException(fault + " isn't done to the control plane");
        }
    }

    /** Restores etcd as in docs/administration.md#restore-etcd-from-a-backup, without {@code --bump-revision}. */
    private void restore(Duration time) {
        for (int i = 0; i < RealControlPlane.API_SERVERS; i++) {
            processes.stopApiServer(i);
        }
        processes.stopEtcd();
        Chaos.pause(Worker.TIMINGS.leaseDuration().plus(time));
        processes.restoreEtcd();
        try {
            journal.restored(file.restored());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        controlPlane.heal();
    }
}
