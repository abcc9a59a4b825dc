package io.cle.coordinator.settings;

/**
 * A property that can't be used.
 *
 * @param property its name
 * @param value its value, as it was given
 * @param rule what is wrong with it, to be read after the value: {@code must be above zero}
 * @param action the way out
 */
public record SettingProblem(String property, String value, String rule, String action) {

    /** For a person: the property, its value and what is wrong with it. */
    public String describe() {
        return property + " is '" + value + "' and " + rule;
    }
}
