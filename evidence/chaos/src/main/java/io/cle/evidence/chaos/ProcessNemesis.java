package io.cle.evidence.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.cle.evidence.process.Proxy;

/** Attacks one process at a time, the leader every other time. Confined to one thread, except for {@link #heal()} at the end. */
final class ProcessNemesis {

    /** The longest step of a wall clock. A longer one would make the control plane's certificate invalid, which is backdated by an hour. */
    private static final Duration LONGEST_STEP = Duration.ofMinutes(30);

    /** Finds the leader. */
    interface Leader {
        Victim find() throws IOException;
    }

    private final List<Victim> victims;
    private final Leader leader;
    private final Journal journal;
    private final Random random;
    private final List<Fault> faults;

    ProcessNemesis(List<Victim> victims, Leader leader, Journal journal, boolean clocks, Random random) {
        this.victims = victims;
        this.leader = leader;
        this.journal = journal;
        this.random = random;
        this.faults = Fault.drawnFor(Fault.Target.PROCESS).stream()
                .filter(fault -> clocks || fault != Fault.CLOCK)
                .toList();
    }

    /** Injects a fault, and waits until it is over and a while longer. */
    void strike() {
        try {
            for (Victim victim : victims) {
                reviveIfDead(victim);
            }
            Victim victim = random.nextBoolean() ? leader.find() : victims.get(random.nextInt(victims.size()));
            Fault fault = faults.get(random.nextInt(faults.size()));
            Duration time = Duration.ofMillis(
                    200 + (long) (random.nextDouble() * fault.longest().toMillis()));
            String identity = victim.identity();
            System.out.println(identity + ": " + fault + " " + time.toMillis() + " ms");
            long from = System.nanoTime();
            strike(victim, fault, time);
            journal.fault(from, fault, identity);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Chaos.pause(Duration.ofMillis(200 + random.nextInt(3800)));
    }

    private void strike(Victim victim, Fault fault, Duration time) throws IOException {
        Proxy proxy = victim.proxy();
        switch (fault) {
            case KILL -> {
                victim.kill();
                Chaos.pause(time);
                victim.start();
            }
            case TERMINATE -> {
                victim.terminate();
                Chaos.pause(time);
                victim.kill();
                victim.start();
            }
            case STOP -> Chaos.during(time, victim::stop, victim::goOn);
            case CLOCK -> victim.setClock(offset());
            case CUT -> proxy.cut();
            case REFUSE -> Chaos.during(time, () -> proxy.refuse(true), proxy::heal);
            case STALL -> Chaos.during(time, () -> proxy.stall(true), proxy::heal);
            case STRAND -> Chaos.during(time, () -> proxy.leadNowhere(true), proxy::heal);
            case SLOW -> Chaos.during(time, () -> proxy.delay(Duration.ofMillis(random.nextInt(400))), proxy::heal);
            case CUT_FROM_ONE -> Chaos.during(time, () -> proxy.silenceOneBackend(random), proxy::heal);
            default -> throw new IllegalStateException(fault + " isn't done to a process");
        }
    }

    /** Draws seconds as often as minutes: a step of less than lease duration minus renew deadline ends no term. */
    private Duration offset() {
        Duration longest = random.nextBoolean() ? Duration.ofSeconds(4) : LONGEST_STEP;
        return Duration.ofMillis((long) ((2 * random.nextDouble() - 1) * longest.toMillis()));
    }

    private void reviveIfDead(Victim victim) throws IOException {
        if (!victim.running()) {
            long now = System.nanoTime();
            System.out.println(victim.identity() + " has ended by itself");
            String identity = victim.identity();
            victim.start();
            journal.fault(now, Fault.DIED, identity);
        }
    }

    /** Ends all faults. */
    void heal() throws IOException {
        for (Victim victim : victims) {
            victim.proxy().heal();
            if (victim.stopped()) {
                victim.goOn();
            }
            if (!victim.running()) {
                victim.start();
            }
        }
    }
}
