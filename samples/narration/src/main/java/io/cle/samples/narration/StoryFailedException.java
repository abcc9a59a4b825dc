package io.cle.samples.narration;

/** The story didn't go on as it should. The message is for the reader of the demo. */
public final class StoryFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The message says what didn't happen, and in what time. */
    public StoryFailedException(String message) {
        super(message);
    }
}
