// SPDX-License-Identifier: Apache-2.0
#include "core/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/replace_file.hpp"
#include "sinew/core/bytes.hpp"
#include "sinew/core/text_file.hpp"

namespace sinew::files_test {
namespace {

namespace fs = std::filesystem;

using FilePointer = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::string as_chars(const std::u8string& utf8) {
  return {utf8.begin(), utf8.end()};
}

// A folder of letters that no single code page has, with characters beyond 16 bits too.
class Files : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string name(const std::u8string& file) const {
    return as_chars((folder_ / fs::path(file)).generic_u8string());
  }

  fs::path folder_ = fs::temp_directory_path() / fs::path(u8"sinew_Üñï_日本_𝄞_" + [] {
                       const std::string test =
                           testing::UnitTest::GetInstance()->current_test_info()->name();
                       return std::u8string(test.begin(), test.end());
                     }());
};

TEST_F(Files, AreWrittenAndReadByNamesInUtf8) {
  const std::string file = name(u8"robö.usda");

  ASSERT_TRUE(write_text_file("first", file));
  ASSERT_TRUE(write_text_file("#usda 1.0\n", file));
  const Result<Bytes> bytes = read_file(file);

  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(bytes->text(), "#usda 1.0\n");
  EXPECT_EQ(map_file(file)->text(), "#usda 1.0\n");
  EXPECT_EQ(kind_of_file(file), FileKind::regular);
  // It stands there under the name that the system shows, and nothing is left beside it.
  EXPECT_TRUE(fs::exists(folder_ / fs::path(u8"robö.usda")));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(Files, AreToldApartByKind) {
  EXPECT_EQ(kind_of_file(name(u8"nothing")), FileKind::missing);
  EXPECT_EQ(kind_of_file(as_chars(folder_.generic_u8string())), FileKind::other);
}

TEST_F(Files, AreCreatedOnlyOnce) {
  const std::string file = name(u8"ñ");
  {
    const FilePointer first(create_file(file), &std::fclose);
    ASSERT_NE(first, nullptr);
  }
  errno = 0;
  EXPECT_EQ(create_file(file), nullptr);
  EXPECT_EQ(errno, EEXIST);
  remove_file(file);
  EXPECT_EQ(kind_of_file(file), FileKind::missing);
}

TEST_F(Files, MoveOverOthersInOneStep) {
  ASSERT_TRUE(write_text_file("new", name(u8"ä")));
  ASSERT_TRUE(write_text_file("old", name(u8"b")));

  EXPECT_FALSE(rename_file(name(u8"ä"), name(u8"b")));

  EXPECT_EQ(read_file(name(u8"b"))->text(), "new");
  EXPECT_TRUE(rename_file(name(u8"ä"), name(u8"b")));  // It is gone.
}

TEST_F(Files, ThatCannotReplaceTheirTargetLeaveNothingBehind) {
  const std::string target = name(u8"ä");
  Status status;
  {
    Result<ReplaceFile> file = ReplaceFile::create(target);
    ASSERT_TRUE(file);
    fs::create_directory(folder_ / fs::path(u8"ä"));

    status = (*std::move(file)).commit();
  }

  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::io_failed);
  EXPECT_THAT(status.error().message, testing::StartsWith("cannot write '" + target + "': "));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(Files, AreWrittenBesideWhatOthersLeftBehind) {
  for (const char8_t* left : {u8".ä.0.tmp", u8".ä.1.tmp"}) {
    const FilePointer file(create_file(name(left)), &std::fclose);
    ASSERT_NE(file, nullptr);
    std::fputs("left", file.get());
  }

  ASSERT_TRUE(write_text_file("new", name(u8"ä")));

  EXPECT_EQ(read_file(name(u8"ä"))->text(), "new");
  EXPECT_EQ(read_file(name(u8".ä.0.tmp"))->text(), "left");
  EXPECT_EQ(read_file(name(u8".ä.1.tmp"))->text(), "left");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 3);
}

TEST_F(Files, MayHaveTheLongestNamesThatSystemsTake) {
  std::u8string longest;
  while (longest.size() + 2 <= 255) longest += u8"ä";
  const std::string file = name(longest);

  const Status status = write_text_file("new", file);

  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(read_file(file)->text(), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(Files, KeepThePermissionsOfThoseThatTheyReplace) {
  const std::string file = name(u8"ä");
  const fs::path path = folder_ / fs::path(u8"ä");
  ASSERT_TRUE(write_text_file("old", file));
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  const fs::perms before = fs::status(path).permissions();
  ASSERT_TRUE(write_text_file("new", file));
  EXPECT_EQ(fs::status(path).permissions(), before);
}

TEST_F(Files, ThatLinksLeadToAreReplacedAndTheLinksStay) {
  ASSERT_TRUE(write_text_file("old", name(u8"ä")));
  std::error_code error;
  fs::create_symlink(fs::path(u8"ä"), folder_ / fs::path(u8"link"), error);
  if (error) GTEST_SKIP() << "no links here: " << error.message();

  ASSERT_TRUE(write_text_file("new", name(u8"link")));

  EXPECT_TRUE(fs::is_symlink(folder_ / fs::path(u8"link")));
  EXPECT_EQ(read_file(name(u8"ä"))->text(), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2);
}

TEST_F(Files, LieBelowTheirOwnFolderWhateverTheirNames) {
  const std::string file = name(u8"..a");
  ASSERT_TRUE(write_text_file("x", file));
  const std::string folder = as_chars(folder_.generic_u8string());
  EXPECT_TRUE(lies_below(file, folder));
  EXPECT_TRUE(lies_below(folder, folder));
  EXPECT_FALSE(lies_below(folder, file));
}

TEST_F(Files, AreNamedFromAFolder) {
  const std::string folder = as_chars(folder_.generic_u8string());
  EXPECT_EQ(name_from(folder, folder + "/x/../ä/b.usda"), "ä/b.usda");
  EXPECT_EQ(name_from(folder + "/x", folder + "/b.usda"), "../b.usda");
  EXPECT_EQ(name_from(folder, folder), ".");
  EXPECT_EQ(name_from("", "ä/b.usda"), "ä/b.usda");
}

TEST_F(Files, TellTheirSizeIn64Bits) {
  const std::string file = name(u8"large");
  const FilePointer handle(create_file(file), &std::fclose);
  ASSERT_NE(handle, nullptr);
  std::error_code error;
  constexpr std::uintmax_t kSize = (std::uintmax_t{5} << 30) + 7;
  fs::resize_file(folder_ / fs::path(u8"large"), kSize,
                  error);  // Takes no room where it is sparse.
  if (error) GTEST_SKIP() << "no room for a file of 5 GiB: " << error.message();
  const FilePointer opened(open_file(file, "rb"), &std::fclose);
  ASSERT_NE(opened, nullptr);
  EXPECT_EQ(file_size(opened.get()), kSize);
}

TEST_F(Files, LieBelowFoldersAfterDotsAreFollowed) {
  const std::string file = name(u8"ä.usda");
  ASSERT_TRUE(write_text_file("x", file));
  const std::string folder = as_chars(folder_.generic_u8string());
  const std::string above = as_chars(folder_.parent_path().generic_u8string());
  EXPECT_TRUE(lies_below(file, folder));
  EXPECT_TRUE(lies_below(file, above));
  EXPECT_FALSE(lies_below(above, folder));
  EXPECT_FALSE(lies_below(folder + "/../x", folder));  // Not there.
  EXPECT_FALSE(lies_below(file, folder + "/nowhere"));
}

TEST_F(Files, HaveOneSpelling) {
  const std::string folder = as_chars(folder_.generic_u8string());
  EXPECT_EQ(one_spelling(folder + "/./x/../ä.usda"), folder + "/ä.usda");
  EXPECT_EQ(one_spelling(one_spelling("ä/b")), one_spelling("ä/b"));
  EXPECT_TRUE(is_absolute_name(one_spelling("ä")));
  EXPECT_FALSE(is_absolute_name("ä/b"));
  EXPECT_EQ(folder_of("ä/ö/b.usda"), "ä/ö");
  EXPECT_EQ(last_name_of("ä/ö/b.usda"), "b.usda");
  EXPECT_EQ(folder_of("b.usda"), "");
  EXPECT_EQ(place_in("ä", "b"), "ä/b");
  EXPECT_EQ(place_in("", "b"), "b");
  EXPECT_EQ(place_in("ä", folder), folder);
}

TEST(NullFile, TakesAllThatIsWritten) {
  const FilePointer file(open_null_file(), &std::fclose);
  ASSERT_NE(file, nullptr);
  for (int i = 0; i < 1000; ++i) std::fputs("far more than fits a small buffer\n", file.get());
}

TEST(FullFile, TakesNothing) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no full file here";
  for (const std::size_t size : {1U, 10'000'000U}) {
    const Status status = write_text_file(std::string(size, 'x'), "/dev/full");
    ASSERT_FALSE(status) << size;
    EXPECT_EQ(status.error().code, ErrorCode::io_failed);
    EXPECT_EQ(status.error().message, "cannot write '/dev/full': No space left on device.");
  }
}

TEST(FileNames, ThatAreNoTextAreNotFound) {
  for (const char* name : {"\xff\xfe", "a\xc3", "\xed\xa0\x80", "\xf8\x88\x80\x80\x80"}) {
    EXPECT_EQ(kind_of_file(name), FileKind::missing);
    EXPECT_FALSE(read_file(name));
  }
}

TEST(JoinNames, AreTheSameOnEverySystem) {
  EXPECT_EQ(join_names("a/b", "c.usda"), "a/b/c.usda");
  EXPECT_EQ(join_names("a/b", "../c.usda"), "a/c.usda");
  EXPECT_EQ(join_names("", "./c.usda"), "c.usda");
  EXPECT_EQ(join_names("", "../c.usda"), "../c.usda");
  EXPECT_EQ(join_names("a", "../../../c.usda"), "../../c.usda");
  EXPECT_EQ(join_names("/a", "../../c.usda"), "/c.usda");
  EXPECT_EQ(join_names("a", "/c.usda"), "/c.usda");
  EXPECT_EQ(join_names("a", ".."), ".");
  EXPECT_EQ(join_names("a", "b\\c"), "a/b\\c");
}

// What the standard library makes of the same names, where "/" is the only separator.
TEST(JoinNames, EqualThoseOfTheStandardLibrary) {
#if defined(_WIN32)
  GTEST_SKIP() << "separators are others here";
#else
  std::mt19937 random(7);
  const std::vector<std::string> parts = {"a", "bc", ".", "..", "ä"};
  const auto make = [&](bool may_be_empty) {
    std::string name = random() % 4 == 0 ? "/" : "";
    const std::size_t count = random() % 5 + (may_be_empty ? 0 : 1);
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) name += '/';
      name += parts[random() % parts.size()];
    }
    return name;
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::string folder = make(true);
    const std::string file = make(false);
    std::string expected = (fs::path(folder) / file).lexically_normal().string();
    if (expected.size() > 1 && expected.ends_with('/')) expected.pop_back();
    EXPECT_EQ(join_names(folder, file), expected) << folder << " and " << file;
  }
#endif
}

}  // namespace
}  // namespace sinew::files_test
