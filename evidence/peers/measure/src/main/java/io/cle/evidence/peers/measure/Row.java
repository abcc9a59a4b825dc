package io.cle.evidence.peers.measure;

import java.util.EnumSet;
import java.util.Set;

/** A row of the table: one thing that is measured. Less is better in all of them. */
enum Row {
    FIRST("boot → leads, ms", true),
    BETTER("a better candidate boots → it leads, ms", false),
    BETTER_NONE("… none leads for, ms", false),
    SIGTERM("SIGTERM of the leader → another leads, ms", true),
    SIGKILL("SIGKILL of the leader → another leads, ms", true),
    CUT_NONE("the leader is cut off from the API server: none leads for, s", true),
    CUT_TWO("the leader is cut off from the API server: two lead for, s", true),
    OUTAGE("the API server is back after 30 s → one leads, ms", true),
    OUTAGE_EXPIRED("… meanwhile one leads after its lease has expired, s", false),
    REQUESTS("requests a minute, ten candidates, nothing happens", true),
    TRANSACTIONS("… database transactions", false),
    MEMORY("resident memory of the leader, MB", false),
    THREADS("its threads", false),
    START("process started → application ready, ms", false),
    JAR("added to a jar, MB", false);

    private final String title;
    private final boolean charted;

    Row(String title, boolean charted) {
        this.title = title;
        this.charted = charted;
    }

    String title() {
        return title;
    }

    /** Whether the chart has a panel for it. */
    boolean charted() {
        return charted;
    }

    /** Whether it can be measured: what a contestant lacks is an empty cell. */
    boolean appliesTo(Contestant contestant) {
        return switch (this) {
            case BETTER, BETTER_NONE -> contestant == Contestant.COORDINATED;
            case REQUESTS -> contestant.elects() && !contestant.needsDatabase();
            case TRANSACTIONS -> contestant.needsDatabase();
            case MEMORY, THREADS, START -> true;
            case FIRST, SIGTERM, SIGKILL, CUT_NONE, CUT_TWO, OUTAGE, OUTAGE_EXPIRED, JAR -> contestant.elects();
        };
    }

    /** Those of some rows that can be measured. */
    static Set<Row> of(Contestant contestant, Row... rows) {
        Set<Row> applicable = EnumSet.noneOf(Row.class);
        for (Row row : rows) {
            if (row.appliesTo(contestant)) {
                applicable.add(row);
            }
        }
        return applicable;
    }
}
