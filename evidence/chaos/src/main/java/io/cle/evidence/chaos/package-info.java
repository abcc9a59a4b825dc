/**
 * Leader election under attack: real processes on two real kube-apiservers with three etcd members. Processes are
 * killed, stopped and continued, their connections cut and slowed, their wall clocks stepped. Meanwhile kube-apiservers
 * and etcd members are killed and partitioned, and etcd is restored from a backup. The records of all processes are
 * saved as a {@link io.cle.evidence.chaos.History} and checked.
 */
@NullMarked
package io.cle.evidence.chaos;

import org.jspecify.annotations.NullMarked;
