package io.cle.evidence.peers.measure;

/**
 * One figure of one trial.
 *
 * @param value in the unit of the row; 0 if it was lost
 */
record Measurement(Row row, Contestant contestant, int trial, double value, Quality quality) {

    /** What the figure is worth. */
    enum Quality {
        EXACT,
        /** It wasn't over yet when the observation ended. */
        AT_LEAST,
        /** It could not be measured, because something else went wrong. */
        LOST
    }

    /** A line of comma-separated values. */
    String csv() {
        String figure = quality == Quality.LOST ? "" : String.valueOf(value);
        return row + "," + contestant + "," + trial + "," + figure + "," + quality;
    }
}
