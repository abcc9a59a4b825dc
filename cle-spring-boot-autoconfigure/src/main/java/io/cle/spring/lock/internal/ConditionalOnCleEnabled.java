package io.cle.spring.lock.internal;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/** Matches unless the application has switched leader election off ({@code cle.enabled=false}). */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBooleanProperty(name = "cle.enabled", matchIfMissing = true)
public @interface ConditionalOnCleEnabled {}
