package io.cle.samples.firstleader;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Marks tests that run Maven, or compile and start applications. They run in CI, after the jars are built. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfEnvironmentVariable(
        named = "CI",
        matches = "true",
        disabledReason = "builds and starts applications, which takes minutes: run it with CI=true ./mvnw verify")
@EnabledIf(
        value = "io.cle.samples.firstleader.JarProcess#built",
        disabledReason = "the executable jars are not built: run ./mvnw verify")
@interface BuildsApplications {}
