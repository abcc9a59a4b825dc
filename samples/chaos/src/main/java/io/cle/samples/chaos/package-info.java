/**
 * Leader election under attack: real processes against a real API server, which are killed, stopped and continued, whose connections are cut
 * and slowed, while the API server and etcd are restarted; then what all processes have recorded is held against each other.
 */
@NullMarked
package io.cle.samples.chaos;

import org.jspecify.annotations.NullMarked;
