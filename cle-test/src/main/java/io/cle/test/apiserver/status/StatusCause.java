package io.cle.test.apiserver.status;

import com.google.gson.JsonObject;

/**
 * One of the reasons for which an object was refused.
 *
 * @param reason the machine-readable reason, such as {@code FieldValueInvalid}
 * @param message the human-readable message, with the value
 * @param field the path of the field, such as {@code spec.leaseDurationSeconds}
 */
public record StatusCause(String reason, String message, String field) {

    /** The field's value isn't allowed. {@code value} is inserted into the message as is. */
    public static StatusCause invalid(String field, String value, String detail) {
        return new StatusCause("FieldValueInvalid", "Invalid value: " + value + ": " + detail, field);
    }

    /** The field has a value of the wrong JSON type. */
    public static StatusCause typeInvalid(String field, String value, String detail) {
        return new StatusCause("FieldValueTypeInvalid", "Invalid value: " + value + ": " + detail, field);
    }

    /** The field is missing. {@code detail} may be empty. */
    public static StatusCause required(String field, String detail) {
        return new StatusCause("FieldValueRequired", "Required value" + (detail.isEmpty() ? "" : ": " + detail), field);
    }

    /** The field must not be set in this object. */
    public static StatusCause forbidden(String field, String detail) {
        return new StatusCause("FieldValueForbidden", "Forbidden: " + detail, field);
    }

    /** The field's value isn't one of the supported ones. */
    public static StatusCause unsupported(String field, String value, String supported) {
        return new StatusCause(
                "FieldValueNotSupported",
                "Unsupported value: \"" + value + "\": supported values: " + supported,
                field);
    }

    JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("reason", reason);
        json.addProperty("message", message);
        json.addProperty("field", field);
        return json;
    }
}
