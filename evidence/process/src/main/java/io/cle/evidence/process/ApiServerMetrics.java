package io.cle.evidence.process;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.cle.test.apiserver.memory.RequestCounts;

/** Reads request counts from an API server's metrics. */
public final class ApiServerMetrics {

    private static final Set<String> RESOURCES =
            Set.of("leases", "leasecandidates", "leaseconfigurations", "pods", "events");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^apiserver_request_total\\{([^}]*)} ([0-9.eE+]+)$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    private ApiServerMetrics() {}

    /**
     * Returns the answered requests for the resources of leader election, from {@code apiserver_request_total}.
     *
     * @param metrics the text of {@code /metrics}
     */
    public static RequestCounts requests(String metrics) {
        Map<String, Long> counts = new TreeMap<>();
        Matcher sample = SAMPLE.matcher(metrics);
        while (sample.find()) {
            Map<String, String> labels = new TreeMap<>();
            Matcher label = LABEL.matcher(sample.group(1));
            while (label.find()) {
                labels.put(label.group(1), label.group(2));
            }
            String resource = labels.getOrDefault("resource", "");
            if (RESOURCES.contains(resource)) {
                String verb = labels.getOrDefault("verb", "").toUpperCase(Locale.ROOT);
                counts.merge(verb + " " + resource, Math.round(Double.parseDouble(sample.group(2))), Long::sum);
            }
        }
        return new RequestCounts(counts);
    }
}
