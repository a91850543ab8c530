package io.millrace.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoleTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "admin",
                "query_system_catalog",
                "bucket_admin[orders]",
                "bucket_admin[*]",
                "scope_admin[orders:shop]",
                "data_reader[orders:shop:carts]",
                "data_reader[orders:shop]",
                "topics_reader[shop.orders]",
                "topics_reader[*]",
                "query_manage_index[travel-sample:_default:_default]",
            })
    void role_readsWhatItPrints(String text) {
        assertThat(Role.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "data_reader[orders:*:*],  data_reader[orders]",
        "data_reader[*:*:*],       data_reader[*]",
        "' bucket_admin[orders] ', bucket_admin[orders]",
    })
    void role_printsTheShortestSpelling(String text, String printed) {
        assertThat(Role.parse(text)).hasToString(printed);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "admin | {}",
                "bucket_admin[orders] | {bucket_name=orders}",
                "scope_admin[orders] | {bucket_name=orders, scope_name=*}",
                "data_reader[orders:shop] | {bucket_name=orders, scope_name=shop, collection_name=*}",
                "topics_reader[shop.orders] | {topic_name=shop.orders}",
                "topics_reader[*] | {topic_name=*}",
            })
    void parameters_areThePartsThatTheRoleHas(String text, String parameters) {
        assertThat(Role.parse(text).parameters()).hasToString(parameters);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root",
                "",
                "admin[orders]",
                "admin[]",
                "data_reader",
                "data_reader[",
                "data_reader[]",
                "data_reader[orders",
                "data_reader[orders]x",
                "data_reader[*:shop]",
                "data_reader[orders:*:carts]",
                "data_reader[a:b:c:d]",
                "data_reader[a b]",
                "bucket_admin[orders:shop]",
                "scope_admin[orders:shop:carts]",
                "topics_reader",
                "topics_reader[shop:orders]",
                "Admin",
            })
    void whatIsNotARole_isRefused(String text) {
        assertThatThrownBy(() -> Role.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anError_saysWhatWasExpected() {
        assertThatThrownBy(() -> Role.parse("root"))
                .hasMessageContaining("There is no role 'root'; the roles are admin,");
        assertThatThrownBy(() -> Role.parse("data_reader"))
                .hasMessage("The role data_reader needs what it is granted on, such as data_reader[orders], or"
                        + " data_reader[*] for every bucket");
    }

    @Test
    void severalRoles_areSeparatedByCommas() {
        assertThat(Role.parseAll("data_reader[a:b:c],admin, data_writer[d]"))
                .map(Role::toString)
                .containsExactly("data_reader[a:b:c]", "admin", "data_writer[d]");
        assertThat(Role.parseAll(" ")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(RoleName.class)
    void everyRole_isFoundByItsLabel(RoleName name) {
        assertThat(RoleName.named(name.label())).contains(name);
        assertThat(name.title()).isNotBlank();
        assertThat(name.description()).endsWith(".");
    }
}
