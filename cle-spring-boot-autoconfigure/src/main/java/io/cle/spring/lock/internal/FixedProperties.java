package io.cle.spring.lock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeSet;

import io.cle.spring.properties.ConfigurationProblem;
import io.cle.spring.properties.InvalidCleConfigurationException;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.EnvironmentAware;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;

/**
 * The properties that decide which beans exist. In an application that was processed ahead of time they are those of the build, and a
 * change of one of them would be ignored without a word: an application that is to lead by itself would be a candidate instead. So such an
 * application doesn't start.
 */
public final class FixedProperties implements InitializingBean, EnvironmentAware {

    private final String enabled;
    private final String mode;
    private final String leases;
    private Environment environment = new StandardEnvironment();

    /**
     * Takes the values by which the beans were chosen.
     *
     * @param enabled {@code cle.enabled}
     * @param mode {@code cle.mode}
     * @param leases the names under {@code cle.leases}
     */
    public FixedProperties(String enabled, String mode, String leases) {
        this.enabled = enabled;
        this.mode = mode;
        this.leases = leases;
    }

    /** {@code cle.enabled} as it stands in an environment. */
    static String enabled(Environment environment) {
        return text(environment, "cle.enabled", "true");
    }

    /** {@code cle.mode} as it stands in an environment. */
    static String mode(Environment environment) {
        return text(environment, "cle.mode", "kubernetes");
    }

    /** The names under {@code cle.leases} as they stand in an environment. */
    static String leases(Environment environment) {
        return String.join(",", new TreeSet<>(FurtherLeaseLocksRegistrar.namesOf(environment)));
    }

    private static String text(Environment environment, String property, String otherwise) {
        return environment.getProperty(property, otherwise).toLowerCase(Locale.ROOT);
    }

    @Override
    public void setEnvironment(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void afterPropertiesSet() {
        List<ConfigurationProblem> problems = new ArrayList<>();
        check(problems, "cle.enabled", enabled, enabled(environment));
        check(problems, "cle.mode", mode, mode(environment));
        check(problems, "cle.leases", leases, leases(environment));
        if (!problems.isEmpty()) {
            throw new InvalidCleConfigurationException(problems);
        }
    }

    private static void check(List<ConfigurationProblem> problems, String property, String fixed, String now) {
        if (!Objects.equals(fixed, now)) {
            problems.add(new ConfigurationProblem(
                    property,
                    now,
                    "it was '" + fixed
                            + "' when this application was processed ahead of time, which has fixed its beans",
                    "Set " + property + " to the same for process-aot as for the run, or run without"
                            + " spring.aot.enabled=true."));
        }
    }
}
