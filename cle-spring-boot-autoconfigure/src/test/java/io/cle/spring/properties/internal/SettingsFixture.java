package io.cle.spring.properties.internal;

import java.util.List;
import java.util.Map;

import io.cle.spring.lock.internal.ConfiguredLeases;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.migration.internal.MigrationProperties;
import io.cle.strategy.internal.Strategies;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.mock.env.MockEnvironment;

/** Resolves properties to settings, for tests that start from settings. */
public final class SettingsFixture {

    private static final ProcessFacts FACTS = new ProcessFacts("orders", () -> "shop", "a", null, null);

    private SettingsFixture() {}

    /** Returns the settings of an application named {@code orders} in the namespace {@code shop}. */
    public static List<LeaseSettings> settings(Map<String, String> properties) {
        return settings(properties, FACTS);
    }

    /** Returns the settings of a process. */
    static List<LeaseSettings> settings(Map<String, String> properties, ProcessFacts facts) {
        MockEnvironment environment = new MockEnvironment();
        properties.forEach(environment::setProperty);
        return settings(environment, facts);
    }

    /** Returns the settings of a process with an environment. */
    static List<LeaseSettings> settings(Environment environment, ProcessFacts facts) {
        List<LeaseBinder.Bound> bound = new LeaseBinder(environment).all();
        LeaseSettingsResolver resolver = new LeaseSettingsResolver(facts, Strategies.builtIn());
        Binder.get(environment).bindOrCreate("cle", CleProperties.class).refuseAClusterBesideStandalone();
        bound.forEach(resolver::check);
        return resolver.settings(bound);
    }

    /** Returns the leases of an application named {@code orders} in the namespace {@code shop}. */
    public static ConfiguredLeases leases(Map<String, String> properties) {
        MockEnvironment environment = new MockEnvironment();
        properties.forEach(environment::setProperty);
        MigrationProperties none = Binder.get(environment).bindOrCreate("cle.migration", MigrationProperties.class);
        return new ConfiguredLeases(
                environment,
                Binder.get(environment).bindOrCreate("cle", CleProperties.class),
                LeaderMigration.of(none, new DefaultResourceLoader(), "orders"),
                FACTS,
                Strategies.builtIn());
    }
}
