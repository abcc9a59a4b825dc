package io.cle.samples.firstleader;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Marks tests that run Maven, or compile and start applications. They are skipped unless {@code CLE_EVERY_PLATFORM=true} is set, as in CI, and the jars are built. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfEnvironmentVariable(
        named = "CLE_EVERY_PLATFORM",
        matches = "true",
        disabledReason =
                "builds and starts applications, which takes minutes: run it with CLE_EVERY_PLATFORM=true ./mvnw verify, as .ci/run does")
@EnabledIf(
        value = "io.cle.samples.firstleader.JarProcess#built",
        disabledReason = "the executable jars are not built: run ./mvnw verify")
@interface BuildsApplications {}
