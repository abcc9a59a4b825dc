package io.cle.samples.upgrade;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The application whose replicas are upgraded: the starter is on its path, and that is all there is to it. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Worker.class)
class ReplicaApplication {}
