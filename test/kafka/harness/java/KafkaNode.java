import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One Kafka process of a test. Formats its storage and runs the server in one JVM, since starting JVMs is what costs. It
 * ends at once when its standard input ends: so no broker outlives the test run that started it, however that run ended.
 *
 * Arguments: start PROPERTIES | zookeeper PROPERTIES | format PROPERTIES KAFKA_STORAGE_ARGUMENT... | format-and-start PROPERTIES KAFKA_STORAGE_ARGUMENT...
 */
public final class KafkaNode {
    public static void main(String[] args) throws Exception {
        endWithStandardInput();
        String task = args[0];
        String properties = args[1];
        if (task.equals("zookeeper")) {
            // Only Kafka 3 brings it along.
            Class.forName("org.apache.zookeeper.server.quorum.QuorumPeerMain")
                .getMethod("main", String[].class)
                .invoke(null, (Object) new String[] {properties});
            return;
        }
        if (!task.equals("start")) {
            List<String> format = new ArrayList<>(List.of("format", "--ignore-formatted", "--config", properties));
            format.addAll(Arrays.asList(args).subList(2, args.length));
            int code = kafka.tools.StorageTool.execute(format.toArray(new String[0]), System.out);
            if (code != 0 || task.equals("format")) System.exit(code);
        }
        kafka.Kafka.main(new String[] {properties});
    }

    private static void endWithStandardInput() {
        Thread watcher = new Thread(() -> {
            try {
                while (System.in.read() >= 0) { }
            } catch (IOException gone) {
                // as good as the end
            }
            Runtime.getRuntime().halt(137);
        }, "ends-with-standard-input");
        watcher.setDaemon(true);
        watcher.start();
    }
}
