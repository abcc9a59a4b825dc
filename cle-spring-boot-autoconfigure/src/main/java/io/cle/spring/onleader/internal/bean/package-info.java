/**
 * Which beans {@code @OnLeader} means, and what it means for each. Comes in: bean definitions and annotations. Goes out: the
 * methods that run, those that are guarded, a future of the work that goes on after they have returned, and a refusal of what can't
 * work. Makes no bean and calls no method of one.
 */
@NullMarked
package io.cle.spring.onleader.internal.bean;

import org.jspecify.annotations.NullMarked;
