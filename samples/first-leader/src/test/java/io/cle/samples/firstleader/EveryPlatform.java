package io.cle.samples.firstleader;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Marks tests of installations and of other versions of libraries, which take minutes. They run every night, after the jars are built. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfEnvironmentVariable(
        named = "CLE_EVERY_PLATFORM",
        matches = "true",
        disabledReason = "takes minutes: run it with CLE_EVERY_PLATFORM=true ./mvnw verify, as every night")
@EnabledIf(
        value = "io.cle.samples.firstleader.JarProcess#built",
        disabledReason = "the executable jars are not built: run ./mvnw verify")
@interface EveryPlatform {}
