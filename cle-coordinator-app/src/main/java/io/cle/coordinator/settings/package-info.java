/**
 * The configuration: the properties as bound, and the settings derived from them after validation. Invalid properties fail the start with
 * the name of the property, its value and how to fix it.
 */
@NullMarked
package io.cle.coordinator.settings;

import org.jspecify.annotations.NullMarked;
