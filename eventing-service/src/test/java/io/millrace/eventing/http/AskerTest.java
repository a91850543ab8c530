package io.millrace.eventing.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.access.Role;
import io.millrace.access.Subject;
import io.millrace.eventing.definition.FunctionName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AskerTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
        admin,                                  true,  true,  true
        ro_admin,                               true,  true,  true
        eventing_admin,                         true,  true,  true
        eventing_manage_functions[orders:shop], false, true,  false
        eventing_manage_functions[orders],      false, true,  false
        eventing_manage_functions[*],           true,  true,  true
        data_reader[*],                         false, false, false
        """)
    void role_readsTheFunctionsOfItsScope(
            String role, boolean ofAdministrators, boolean ofTheScope, boolean ofAnother) {
        Asker asker = new Asker(Subject.user("ann", Subject.Domain.LOCAL, Role.parseAll(role)));

        assertThat(asker.reads(FunctionName.of("f"))).isEqualTo(ofAdministrators);
        assertThat(asker.reads(FunctionName.of("orders", "shop", "f"))).isEqualTo(ofTheScope);
        assertThat(asker.reads(FunctionName.of("stock", "shop", "f"))).isEqualTo(ofAnother);
    }
}
