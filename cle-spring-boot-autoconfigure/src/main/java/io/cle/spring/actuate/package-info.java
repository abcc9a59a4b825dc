/**
 * Leader election as the actuator shows it: the endpoint {@code leaderelection}, the health contributor {@code leaderElection} and
 * the meters {@code cle.*}.
 */
@NullMarked
package io.cle.spring.actuate;

import org.jspecify.annotations.NullMarked;
