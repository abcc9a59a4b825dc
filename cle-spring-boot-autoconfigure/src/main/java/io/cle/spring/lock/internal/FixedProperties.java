package io.cle.spring.lock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.cle.ConfigurationProblem;
import io.cle.InvalidConfigurationException;
import io.cle.spring.properties.internal.LeaseBinder;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/**
 * Refuses to start an application that was processed ahead of time and is run with other values of the properties that decide which beans
 * exist. The beans are those of the build, so that the new value would silently be ignored: an application with {@code cle.enabled=false}
 * would be a candidate.
 */
public final class FixedProperties implements InitializingBean, EnvironmentAware {

    /** The properties that conditions of the auto-configurations read, and the values that the conditions assume if they aren't set. */
    private static final Map<String, String> CONDITIONS = Map.of(
            "cle.enabled", "true",
            "cle.events.enabled", "true",
            "cle.leader-pod.enabled", "false");

    /** The boolean ones; {@code cle.enabled} is checked by {@link #isEnabled}, because it switches this bean off. */
    private static final Set<String> SWITCHES = Set.of("cle.events.enabled", "cle.leader-pod.enabled");

    private final Map<String, String> fixed;
    private Environment environment = new StandardEnvironment();

    /**
     * Takes the values of the build.
     *
     * @param fixed by {@link #in}
     */
    public FixedProperties(Map<String, String> fixed) {
        this.fixed = new TreeMap<>(fixed);
    }

    /** Returns the values of the properties in an environment; for {@code cle.leases}, the names of the leases and of those with shards. */
    static Map<String, String> in(Environment environment) {
        Map<String, String> values = new TreeMap<>();
        CONDITIONS.forEach((property, otherwise) -> values.put(
                property, environment.getProperty(property, otherwise).toLowerCase(Locale.ROOT)));
        LeaseBinder leases = new LeaseBinder(environment);
        values.put("cle.leases", String.join(",", new TreeSet<>(leases.names())));
        values.put("cle.leases.*.shards", String.join(",", new TreeSet<>(leases.sharded())));
        return values;
    }

    /**
     * Returns {@code cle.enabled}. With any other value than true and false no auto-configuration would apply, and nothing would be logged.
     *
     * @throws InvalidConfigurationException if the value is neither true nor false
     */
    public static boolean isEnabled(Environment environment) {
        String enabled = environment.getProperty("cle.enabled", "true");
        if (!enabled.equalsIgnoreCase("true") && !enabled.equalsIgnoreCase("false")) {
            throw new InvalidConfigurationException(
                    "cle.enabled", enabled, "it must be true or false", "Set cle.enabled to true or false.");
        }
        return enabled.equalsIgnoreCase("true");
    }

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void afterPropertiesSet() {
        List<ConfigurationProblem> problems = new ArrayList<>();
        in(environment).forEach((property, now) -> {
            String then = fixed.get(property);
            // Binding would read 'yes' and 'on' as true. The conditions treat every value but 'true' as false.
            if (SWITCHES.contains(property) && !now.equals("true") && !now.equals("false")) {
                problems.add(new ConfigurationProblem(
                        property, now, "it must be true or false", "Set " + property + " to true or false."));
            } else if (!now.equals(then)) {
                problems.add(new ConfigurationProblem(
                        property,
                        now,
                        "it was '" + then
                                + "' when this application was processed ahead of time, which has fixed its beans",
                        "Set " + property + " to the same for process-aot as for the run, or run without"
                                + " spring.aot.enabled=true."));
            }
        });
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(problems);
        }
    }
}
