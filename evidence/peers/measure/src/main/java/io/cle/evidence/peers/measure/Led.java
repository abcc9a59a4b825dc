package io.cle.evidence.peers.measure;

import java.util.List;
import java.util.TreeMap;

import io.cle.evidence.process.Event;

/**
 * How a lease was led during an interval, as the processes have printed it.
 *
 * @param noneMillis how long no process led
 * @param severalMillis how long two or more led
 * @param atTheEnd how many led when the interval ended
 */
record Led(double noneMillis, double severalMillis, int atTheEnd) {

    /**
     * From the events of all processes of a lease. A process leads from {@code granted} to {@code revoked}; a second {@code granted} or
     * {@code revoked} changes nothing.
     *
     * @param from the beginning of the interval, in nanoseconds since 1970
     * @param to its end, excluded
     */
    static Led during(long from, long to, List<List<Event>> processes) {
        TreeMap<Long, Integer> changes = new TreeMap<>();
        for (List<Event> events : processes) {
            boolean leads = false;
            for (Event event : events) {
                boolean now = event.what().equals("granted")
                        || (leads && !event.what().equals("revoked"));
                if (now != leads && event.nanos() < to) {
                    changes.merge(Math.max(event.nanos(), from), now ? 1 : -1, Integer::sum);
                }
                leads = now;
            }
        }
        changes.putIfAbsent(from, 0);
        changes.put(to, 0);
        long none = 0;
        long several = 0;
        int leaders = 0;
        long since = from;
        for (var change : changes.entrySet()) {
            long passed = change.getKey() - since;
            none += leaders == 0 ? passed : 0;
            several += leaders > 1 ? passed : 0;
            since = change.getKey();
            leaders += change.getValue();
        }
        return new Led(none / 1e6, several / 1e6, leaders);
    }
}
