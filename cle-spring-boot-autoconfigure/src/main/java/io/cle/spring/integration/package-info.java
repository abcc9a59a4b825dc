/**
 * Spring Integration's events of leadership. Comes in: what the locks report. Goes out: Spring Integration's, by which its
 * endpoints are started and stopped in roles. Nothing here decides who leads.
 */
@NullMarked
package io.cle.spring.integration;

import org.jspecify.annotations.NullMarked;
