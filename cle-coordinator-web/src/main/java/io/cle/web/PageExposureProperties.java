package io.cle.web;

import java.util.Set;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether the page is served, and under which names it answers.
 *
 * @param enabled whether the coordinator serves its page
 * @param hosts Host names, beside those of the loopback interface and of the Service, under which page and endpoints are asked for
 */
@ConfigurationProperties("cle.coordinator.page")
public record PageExposureProperties(
        @DefaultValue("true") boolean enabled, @DefaultValue Set<String> hosts) {}
