package io.cle.samples.benchmark;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requests that an API server has answered about what leader election touches, by its own metric
 * {@code apiserver_request_total}.
 *
 * @param byVerbAndResource counts by {@code <VERB> <resource>}
 */
record RequestCount(Map<String, Double> byVerbAndResource) {

    private static final Set<String> RESOURCES =
            Set.of("leases", "leasecandidates", "leaseconfigurations", "pods", "events");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^apiserver_request_total\\{([^}]*)} ([0-9.eE+]+)$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** Reads the text of {@code /metrics}. */
    static RequestCount parse(String metrics) {
        Map<String, Double> counts = new TreeMap<>();
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
                counts.merge(verb + " " + resource, Double.parseDouble(sample.group(2)), Double::sum);
            }
        }
        return new RequestCount(counts);
    }

    /** What has come on top of an earlier count. */
    RequestCount since(RequestCount earlier) {
        Map<String, Double> difference = new TreeMap<>();
        byVerbAndResource.forEach((what, count) -> {
            double more = count - earlier.byVerbAndResource.getOrDefault(what, 0.0);
            if (more != 0) {
                difference.put(what, more);
            }
        });
        return new RequestCount(difference);
    }

    double total() {
        return byVerbAndResource.values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }
}
