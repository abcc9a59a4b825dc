package io.cle.evidence.benchmark;

/** An event of the processes that share a lease with shards. */
enum ShardEvent {
    START("all eight start", 0, 0),
    JOIN("a ninth joins", 60, 3_500),
    STOP("one receives SIGTERM", 60, 500),
    KILL("one is killed", 15_500, 15_500),
    UPGRADE("all eight are upgraded, one by one", 60, 0),
    DRAINED_STOP("one receives SIGTERM, and its work takes 30 s to end", 0, 30_500),
    DRAINED_UPGRADE("all eight are upgraded, and their work takes 30 s to end", 0, 0);

    private final String title;
    private final int longest;
    private final int balanced;

    ShardEvent(String title, int longest, int balanced) {
        this.title = title;
        this.longest = longest;
        this.balanced = balanced;
    }

    String title() {
        return title;
    }

    /** Returns for how many milliseconds a shard may have no leader; 0 if there is no goal. */
    int longest() {
        return longest;
    }

    /** Returns how many milliseconds may pass until balance; 0 if there is no goal. */
    int balanced() {
        return balanced;
    }
}
