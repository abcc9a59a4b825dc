package io.cle.fencing.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Passes each prepared statement to a test, which may replace it, and each commit as a statement {@code COMMIT}. */
final class RewritingDataSource extends DelegatingDataSource {

    private final UnaryOperator<String> rewritten;

    RewritingDataSource(DataSource target, UnaryOperator<String> rewritten) {
        super(target);
        this.rewritten = rewritten;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    Object[] changed = arguments;
                    if (method.getName().equals("prepareStatement")) {
                        changed = arguments.clone();
                        changed[0] = rewritten.apply((String) arguments[0]);
                    } else if (method.getName().equals("commit")) {
                        String unused = rewritten.apply("COMMIT");
                    }
                    try {
                        return method.invoke(connection, changed);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
