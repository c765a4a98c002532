import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Kafka's own admin client, for several things in one JVM. Each line of standard input is a job, its words parted by blanks, and
 * gets one line of output: "ok", or the class and the cause of what went wrong.
 *
 *   scram BOOTSTRAP MECHANISM USER PASSWORD      user and password in base64 of UTF-8
 *   acl BOOTSTRAP ALLOW|DENY USER OPERATION CLUSTER|TOPIC NAME
 *   login BOOTSTRAP FILE                         describes the cluster with these client properties, as Kafka's tools read them
 */
public final class AskAsAdmin {
    public static void main(String[] args) throws Exception {
        BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String job = jobs.readLine(); job != null; job = jobs.readLine()) {
            String answer;
            try {
                run(job.split(" "));
                answer = "ok";
            } catch (ExecutionException failed) {
                answer = named(failed.getCause());
            } catch (Exception failed) {
                answer = named(failed);
            }
            System.out.println(answer);
        }
        // Whatever threads a failed client has left behind.
        System.exit(0);
    }

    private static void run(String[] words) throws Exception {
        Properties properties = new Properties();
        if (words[0].equals("login")) {
            try (FileInputStream file = new FileInputStream(words[2])) {
                properties.load(file);
            }
        }
        properties.put("bootstrap.servers", words[1]);
        properties.put("default.api.timeout.ms", "15000");
        properties.put("request.timeout.ms", "15000");
        try (Admin admin = Admin.create(properties)) {
            switch (words[0]) {
                case "login":
                    admin.describeCluster().clusterId().get();
                    break;
                case "scram":
                    ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.fromMechanismName(words[2]), 4096);
                    admin.alterUserScramCredentials(List.of(
                        new UserScramCredentialUpsertion(decoded(words[3]), info, decoded(words[4]))
                    )).all().get();
                    break;
                case "acl":
                    ResourceType type = ResourceType.fromString(words[5]);
                    String name = type == ResourceType.CLUSTER ? Resource.CLUSTER_NAME : words[6];
                    admin.createAcls(List.of(new AclBinding(
                        new ResourcePattern(type, name, PatternType.LITERAL),
                        new AccessControlEntry("User:" + words[3], "*", AclOperation.fromString(words[4]), AclPermissionType.fromString(words[2]))
                    ))).all().get();
                    break;
                default:
                    throw new IllegalArgumentException(words[0]);
            }
        }
    }

    private static String named(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) root = root.getCause();
        return failure.getClass().getSimpleName() + ": " + String.valueOf(root.getMessage()).split("\n")[0];
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
