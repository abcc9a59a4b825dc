/**
 * Which beans {@code @OnLeader} means, and what it means for each. Comes in: bean definitions and annotations. Goes out: the
 * methods that run, those that are guarded, what their results mean, and a refusal of what can't work. Makes no bean and runs nothing.
 */
@NullMarked
package io.cle.spring.onleader.internal.bean;

import org.jspecify.annotations.NullMarked;
