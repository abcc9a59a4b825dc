package io.cle.spring.properties;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The metadata that editors show for the properties. */
class ConfigurationMetadataTests {

    private static final Map<String, JsonNode> PROPERTIES = new LinkedHashMap<>();

    static {
        try {
            Enumeration<URL> files = ConfigurationMetadataTests.class
                    .getClassLoader()
                    .getResources("META-INF/spring-configuration-metadata.json");
            while (files.hasMoreElements()) {
                try (InputStream file = files.nextElement().openStream()) {
                    JsonMapper.shared()
                            .readTree(file)
                            .get("properties")
                            .forEach(property ->
                                    PROPERTIES.put(property.get("name").asString(), property));
                }
            }
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "cle.enabled, true",
        "cle.mode, auto",
        "cle.api, auto",
        "cle.resource-lock, coordinatedleases",
        "cle.lease-name,",
        "cle.shards,",
        "cle.namespace,",
        "cle.identity,",
        "cle.lease-duration, 15s",
        "cle.renew-deadline, 10s",
        "cle.retry-period, 2s",
        "cle.drain-timeout, 30s",
        "cle.candidate.enabled, true",
        "cle.candidate.requires, readiness",
        "cle.candidate.binary-version,",
        "cle.candidate.compatibility-version,",
        "cle.candidate.strategy, OldestCompatibilityVersion",
        "cle.candidate.priority,",
        "cle.candidate.renew-interval, 5m",
        "cle.candidate.container,",
        "cle.candidate.key,",
        "cle.candidate.key-comparison,",
        "cle.fallback.enabled, true",
        "cle.fallback.delay, 30s",
        "cle.on-lost, continue",
        "cle.migration.enabled, false",
        "cle.migration.config-file,",
        "cle.migration.component,",
        "cle.kubernetes.base-url,",
        "cle.keep-alive,",
        "management.health.leader-election.enabled, true"
    })
    void everyPropertyHasItsDefault(String name, String defaultValue) {
        assertThat(PROPERTIES).containsKey(name);
        JsonNode documented = PROPERTIES.get(name).get("defaultValue");
        assertThat(documented == null ? null : documented.asString()).isEqualTo(defaultValue);
    }

    @Test
    void everyPropertyIsDescribedInASentence() {
        assertThat(PROPERTIES).isNotEmpty();
        PROPERTIES.forEach((name, property) -> {
            if (name.startsWith("cle.") || name.contains("leader-election")) {
                assertThat(property.get("description").asString())
                        .as(name)
                        .matches("[A-Z\"].*\\.")
                        .doesNotContain("&");
            }
        });
    }
}
