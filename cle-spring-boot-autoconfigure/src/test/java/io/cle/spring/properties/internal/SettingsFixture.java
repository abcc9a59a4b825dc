package io.cle.spring.properties.internal;

import java.util.List;
import java.util.Map;

import io.cle.strategy.internal.Strategies;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

/** What follows from properties, for tests that begin with settings. */
public final class SettingsFixture {

    private SettingsFixture() {}

    /** The settings of an application named {@code orders} in the namespace {@code shop}. */
    public static List<LeaseSettings> settings(Map<String, String> properties) {
        return settings(properties, new ProcessFacts("orders", () -> "shop", "a", null, null));
    }

    /** The settings of a process. */
    static List<LeaseSettings> settings(Map<String, String> properties, ProcessFacts facts) {
        MockEnvironment environment = new MockEnvironment();
        properties.forEach(environment::setProperty);
        return settings(environment, facts);
    }

    /** The settings of a process with an environment. */
    static List<LeaseSettings> settings(Environment environment, ProcessFacts facts) {
        return new CheckedProperties(
                        Binder.get(environment).bindOrCreate("cle", CleProperties.class),
                        new LeaseBinder(environment),
                        Map.of(),
                        facts,
                        Strategies.builtIn())
                .leases();
    }
}
