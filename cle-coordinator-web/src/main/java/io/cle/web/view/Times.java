package io.cle.web.view;

import java.time.Instant;

/**
 * Writes times for a template.
 *
 * @param now when the page is made
 */
public record Times(Instant now) {

    /** How long ago something was. */
    public String age(Instant since) {
        return DisplayFormat.age(since, now);
    }

    /** A time of day, in UTC. */
    public String time(Instant time) {
        return DisplayFormat.time(time, now);
    }

    /** Now, in milliseconds since 1970. */
    public long millis() {
        return now.toEpochMilli();
    }

    /** A time, in milliseconds since 1970. */
    public long millis(Instant time) {
        return time.toEpochMilli();
    }
}
