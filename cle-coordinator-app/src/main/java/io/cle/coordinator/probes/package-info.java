/**
 * The port for the kubelet and Prometheus: health without details, and metrics. It must never answer anything else: what the
 * coordinator knows of all namespaces is served on the main port, which listens on the loopback interface by default.
 */
@NullMarked
package io.cle.coordinator.probes;

import org.jspecify.annotations.NullMarked;
