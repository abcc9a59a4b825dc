package io.cle.evidence.benchmark;

/** A measured quantity: one line of the table. */
enum Line {
    FIRST("first candidate announced → it leads", "ms", "≤ 100", 100, false),
    BETTER("a better candidate announced → it leads", "ms", "≤ 100", 100, false),
    BETTER_GAP("… time without a leader", "ms", "≤ 60 (goal 30)", 60, false),
    TERMINATED("SIGTERM of the leader → another leads", "ms", "≤ 100", 100, false),
    KILLED("SIGKILL of the leader → another leads", "ms", "≤ 15,250", 15_250, false),
    AFTER_EXPIRY("… counted from the expiry of its lease", "ms", "≤ 250", 250, false),
    KILLED_POD("SIGKILL, and the kubelet reports its end → another leads", "ms", "≤ 4,000", 4_000, false),
    AOT_FIRST("with an AOT cache: first candidate announced → it leads", "ms", "≤ 100", 100, false),
    AOT_BETTER("with an AOT cache: a better candidate announced → it leads", "ms", "≤ 100", 100, false),
    AOT_BETTER_GAP("… time without a leader", "ms", "≤ 45 (goal 30)", 45, false),
    AOT_TERMINATED("with an AOT cache: SIGTERM of the leader → another leads", "ms", "≤ 100", 100, false),
    FLOOD_FIRST(
            "4,000 hostile candidates in another namespace: first candidate announced → it leads",
            "ms",
            "≤ 100",
            100,
            false),
    FLOOD_BETTER("… a better candidate announced → it leads", "ms", "≤ 100", 100, false),
    FLOOD_GAP("… time without a leader", "ms", "≤ 100", 100, false),
    FLOOD_TERMINATED("… SIGTERM of the leader → another leads", "ms", "≤ 100", 100, false),
    FLOOD_MEMORY("… resident memory of the coordinator at most", "MiB", "≤ 768", 768, false),
    CROWD_TERMS("ten replicas of one version started together: terms in a minute", "", "1", 1, false),
    CROWD_REVERSALS("… reversals in that minute", "", "0", 0, false),
    IDLE("requests a minute, one lease, ten candidates, nothing happens", "", "≤ 35", 35, false),
    IDLE_COORDINATOR("… and those of a coordinator that has nothing to do", "", "–", Double.MAX_VALUE, false),
    ELECTIONS_1K("elections a second, 1,000 leases × 3 candidates from nothing", "/s", "≥ 349", 349, true),
    ELECTIONS_10K("… 10,000 leases", "/s", "≥ 349", 349, true),
    ELECTIONS_5K_ONE("… 5,000 leases in one namespace", "/s", "≥ 349", 349, true),
    ELECTIONS_WAITING("… 1,000 that wait for a coordinator", "/s", "≥ 349", 349, true),
    RESTART("coordinator restarted beside 5,000 leases: its process starts → it elects", "s", "≤ 5", 5, false),
    PAGE_RENDER("the coordinator's page with 5,000 leases: rendered", "ms", "≤ 1,000", 1_000, false),
    PAGE_FILTER("… searched", "ms", "≤ 1,000", 1_000, false),
    PAGE_UPDATE("… a lease has a leader → an open page shows it", "ms", "≤ 1,000", 1_000, false),
    DIRECT_RELEASED("direct lock: released → taken by another", "ms", "≤ 100", 100, false),
    DIRECT_EXPIRED("direct lock: expired → taken by another", "ms", "≤ 250", 250, false),
    ROLLING_RESTART(
            "two kube-apiservers are restarted one after the other: time without a leader", "ms", "0", 0, false),
    AFTER_OUTAGE("no kube-apiserver for 30 s: the first one is ready → one leads", "ms", "≤ 2,000", 2_000, false),
    NATIVE_FIRST(
            "native format, kube-apiserver elects: first candidate → it leads", "ms", "–", Double.MAX_VALUE, false),
    NATIVE_BETTER("native format, kube-apiserver elects: a better candidate → it leads", "ms", "≤ 1,000", 1_000, false),
    NATIVE_GAP("… time without a leader", "ms", "–", Double.MAX_VALUE, false),
    NATIVE_TERMINATED("native format: SIGTERM of the leader → another leads", "ms", "–", Double.MAX_VALUE, false),
    NATIVE_1K(
            "native format, kube-apiserver elects: elections a second, 1,000 leases × 3 candidates from nothing",
            "/s",
            "–",
            0,
            true),
    SHARDS_REQUESTS("64 shards on eight processes at rest: requests a minute", "", "–", Double.MAX_VALUE, false),
    SHARDS_THREADS("… threads of a process", "", "–", Double.MAX_VALUE, false),
    SHARDS_MEMORY("… resident memory of a process", "MiB", "–", Double.MAX_VALUE, false),
    LEASES_REQUESTS(
            "64 independent leases of eight processes at rest: requests a minute", "", "–", Double.MAX_VALUE, false),
    LEADER_THREADS("… threads of the process that leads most", "", "–", Double.MAX_VALUE, false),
    LEADER_MEMORY("… its resident memory", "MiB", "–", Double.MAX_VALUE, false),
    FOLLOWER_THREADS("… threads of another process", "", "–", Double.MAX_VALUE, false),
    FOLLOWER_MEMORY("… its resident memory", "MiB", "–", Double.MAX_VALUE, false),
    UNFENCED(
            "a transaction of one INSERT on PostgreSQL, one thread: without the fence",
            "µs",
            "–",
            Double.MAX_VALUE,
            false),
    FENCED("… with it", "µs", "–", Double.MAX_VALUE, false),
    UNFENCED_EIGHT("… eight threads: without the fence", "µs", "–", Double.MAX_VALUE, false),
    FENCED_EIGHT("… with it", "µs", "–", Double.MAX_VALUE, false);

    private final String title;
    private final String unit;
    private final String goal;
    private final double bound;
    private final boolean more;

    Line(String title, String unit, String goal, double bound, boolean more) {
        this.title = title;
        this.unit = unit;
        this.goal = goal;
        this.bound = bound;
        this.more = more;
    }

    String title() {
        return title;
    }

    String unit() {
        return unit;
    }

    /** Returns the goal as text. */
    String goal() {
        return goal;
    }

    /** Whether a median meets the goal. */
    boolean met(double median) {
        return more ? median >= bound : median <= bound;
    }
}
