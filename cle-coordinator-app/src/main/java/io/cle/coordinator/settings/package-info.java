/**
 * What can be configured: the properties as they are bound, and the settings that follow from them once they were checked. A
 * start that can't succeed is refused with the name of the property, its value and the way out.
 */
@NullMarked
package io.cle.coordinator.settings;

import org.jspecify.annotations.NullMarked;
