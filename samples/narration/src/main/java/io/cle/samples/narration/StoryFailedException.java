package io.cle.samples.narration;

/** Thrown if the story fails. The message is for the reader of the demo. */
public final class StoryFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message says what didn't happen, and within what time. */
    public StoryFailedException(String message) {
        super(message);
    }
}
