package io.cle.web;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the page.
 *
 * @param enabled whether the coordinator serves its page
 */
@ConfigurationProperties("cle.coordinator.page")
public record PageProperties(@DefaultValue("true") boolean enabled) {}
