/**
 * Leader election under attack: real processes against two real kube-apiservers with three etcd members. Processes are killed, stopped and
 * continued, their connections cut and slowed, their wall clocks stepped, while kube-apiservers and etcd members are killed and cut from each
 * other and etcd is restored from a backup. What all processes have recorded is kept as a {@link io.cle.evidence.chaos.History} and checked.
 */
@NullMarked
package io.cle.evidence.chaos;

import org.jspecify.annotations.NullMarked;
