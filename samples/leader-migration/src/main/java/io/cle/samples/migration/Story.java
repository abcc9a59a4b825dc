package io.cle.samples.migration;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.cle.samples.narration.Narrator;
import io.cle.samples.narration.Stopwatch;
import io.cle.test.apiserver.EmbeddedApiServer;

/** The story: KEP-2436's walk-through, from 1.21 with all jobs in the first service to 1.22, and back. */
final class Story implements AutoCloseable {

    private static final Set<String> MOVING = Set.of("invoices", "reminders", "exchange-rates");
    private static final String STAYING = "stock-report";
    private static final int REPLICAS = 2;

    private final Settings settings;
    private final EmbeddedApiServer apiServer;
    private final Board board;
    private final Stopwatch stopwatch;
    private final Narrator narrator;
    private final Map<String, List<Replica>> services = new HashMap<>();
    private char nextReplica = 'a';

    Story(Settings settings, EmbeddedApiServer apiServer, Board board, Stopwatch stopwatch, Narrator narrator) {
        this.settings = settings;
        this.apiServer = apiServer;
        this.board = board;
        this.stopwatch = stopwatch;
        this.narrator = narrator;
    }

    /**
     * Plays the story.
     *
     * @throws io.cle.samples.narration.StoryFailedException if a step fails
     */
    void tell() throws InterruptedException {
        narrator.act("1. Version 1.21: one service, the shop, does everything");
        narrator.explain("Its leader runs all four jobs, under the shop's own lease.");
        deploy(Release.SHOP_21);
        expect("shop", "shop");

        narrator.act("2. Still 1.21: the migration is switched on in the shop");
        narrator.explain("""
                The same program with cle.migration.enabled=true. invoices, reminders and exchange-rates now run under a lease of
                their own, shop-to-billing, stock-report under the shop's. A replica takes the shop's lease first, so nothing runs
                twice while replicas with and without the migration share it.""");
        deploy(Release.SHOP_21_MIGRATING);
        expect("shop", "shop");

        narrator.act("3. Side by side: billing 1.22 comes");
        narrator.explain("""
                It has the three jobs, too, and the very same configuration. It leads by its own lease, but shop-to-billing is the
                shop's.""");
        deploy(Release.BILLING_22_MIGRATING);
        expect("shop", "shop");

        narrator.act("4. Version 1.22: the shop is upgraded, and no longer has the three jobs");
        narrator.explain(
                "The last shop of 1.21 ends its jobs and hands shop-to-billing over; billing has been waiting for it.");
        deploy(Release.SHOP_22);
        expect("shop", "billing");

        narrator.act("5. Still 1.22: the migration is over, and is switched off");
        narrator.explain("The three jobs run under billing's own lease. shop-to-billing is history.");
        deploy(Release.BILLING_22);
        expect("shop", "billing");

        narrator.act("6. And back: the migration is switched on in billing, shop 1.21 returns beside it");
        deploy(Release.BILLING_22_MIGRATING);
        expect("shop", "billing");
        deploy(Release.SHOP_21_MIGRATING);
        expect("shop", "billing");

        narrator.act("7. Billing is removed, and the migration is switched off");
        remove("billing");
        expect("shop", "shop");
        deploy(Release.SHOP_21);
        expect("shop", "shop");
    }

    /** Deploys like a rolling update: starts a new replica, then stops an old one, and so on. The leader is last, which is the hardest case. */
    private void deploy(Release release) throws InterruptedException {
        List<Replica> old = new ArrayList<>(services.getOrDefault(release.service(), List.of()));
        List<Replica> fresh = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            String name = release.service() + "-" + nextReplica++;
            fresh.add(Replica.start(release, name, board, apiServer.url(), settings));
            narrator.tell(stopwatch.now(), name + " (" + release + ") is up");
            if (!old.isEmpty()) {
                Replica leaving = Collections.min(old, Comparator.comparing(Replica::leadsItsService));
                old.remove(leaving);
                stop(leaving);
            }
        }
        services.put(release.service(), fresh);
    }

    private void remove(String service) {
        List<Replica> all = services.getOrDefault(service, List.of());
        services.remove(service);
        all.stream().sorted(Comparator.comparing(Replica::leadsItsService)).forEach(this::stop);
    }

    private void stop(Replica replica) {
        narrator.bad(stopwatch.now(), replica.name() + " is stopped");
        replica.close();
    }

    /** Waits until every job runs in the expected service, and prints that. */
    private void expect(String staying, String moving) throws InterruptedException {
        board.await(
                jobs -> jobs.size() == MOVING.size() + 1
                        && jobs.getOrDefault(STAYING, "").startsWith(staying)
                        && MOVING.stream()
                                .allMatch(job -> jobs.getOrDefault(job, "").startsWith(moving)),
                STAYING + " in " + staying + ", " + MOVING + " in " + moving,
                settings.patience());
        Map<String, List<String>> byReplica = board.now().entrySet().stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getValue, Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
        byReplica.forEach(
                (replica, jobs) -> narrator.good(stopwatch.now(), replica + " does " + String.join(", ", jobs)));
        pause();
    }

    private void pause() throws InterruptedException {
        Thread.sleep(settings.pause().toMillis());
    }

    @Override
    public void close() {
        List.copyOf(services.keySet()).forEach(this::remove);
    }
}
