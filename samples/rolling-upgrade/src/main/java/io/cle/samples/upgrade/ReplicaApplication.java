package io.cle.samples.upgrade;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The application whose replicas are upgraded. It needs only the starter on its class path. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Worker.class)
class ReplicaApplication {}
