import Forms
import Templating
import Testing

@testable import App

/// What is judged of a picture before anything decodes it, and what is left of it after.
@Suite struct PictureTests {
    private func problem(_ file: [UInt8]) -> PictureProblem? {
        do {
            _ = try PictureHeader(of: file)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: Pictures.kinds)
    func `kind and size are read from the first bytes`(name: String) throws {
        let header = try PictureHeader(of: Pictures.file(name))
        // A HEIC is coded in blocks, and as many pixels as they hold are decoded.
        #expect((header.width, header.height) == (name == "phone.heic" ? (64, 64) : (60, 40)))
        let kinds: [String: PictureHeader.Kind] = [
            "jpg": .jpeg, "png": .png, "gif": .gif, "webp": .webp, "heic": .heic,
        ]
        #expect(header.kind == kinds[String(name.split(separator: ".")[1])])
    }

    @Test func `a lossless WebP and one with an extended header are read too`() throws {
        let wide = try PictureHeader(of: Pictures.wide)
        #expect(wide.width == 2_400 && wide.height == 1_200)
        let extended = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0]
        let header = try PictureHeader(of: extended + [0x5F, 9, 0, 0xAF, 4, 0])
        #expect(header.width == 2_400 && header.height == 1_200)
    }

    @Test func `a bomb is told by its head, in no time`() {
        #expect(problem(Pictures.png(width: 30_000, height: 30_000)) == .tooManyPixels(width: 30_000, height: 30_000))
        #expect(problem(Pictures.png(width: .max, height: .max)) != nil)
        #expect(problem(Pictures.png(width: 10_000, height: 5_000)) == nil)
        #expect(problem(Pictures.png(width: 10_000, height: 5_001)) != nil)
        #expect(problem(Pictures.png(width: 0, height: 5)) == .broken)
    }

    @Test func `what is no picture is told apart, with words that say what to do`() {
        #expect(problem(Array("<?xml version=\"1.0\"?><svg onload=\"alert(1)\"/>".utf8)) == .drawing)
        #expect(problem([]) == .empty)
        for other in [
            "%PDF-1.7", "II*\0", "MM\0*", "BM", "#!/bin/sh", "<html>", "1 1\n0.5",
            "\0\0\0\u{1C}ftypavif\0\0\0\0avifmif1",
        ] {
            #expect(problem(Array(other.utf8)) == .otherKind, "\(other)")
        }
        #expect(PictureProblem.drawing.words.english.contains("Save it as a PNG"))
        #expect(PictureProblem.otherKind.words.english.contains("JPEG, PNG, WebP, GIF or HEIC"))
    }

    @Test(arguments: Pictures.kinds + ["wide.webp"])
    func `no beginning of a file and no wrong byte in it does harm`(name: String) {
        let file = Pictures.file(name)
        for length in 0..<min(file.count, 600) { _ = problem(Array(file[..<length])) }
        for place in 0..<min(file.count, 600) {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var wrong = file
                wrong[place] = value
                _ = problem(wrong)
                _ = WebP.bare(wrong)
            }
        }
    }

    @Test func `only what holds the picture is left of a WebP`() throws {
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + [UInt8(content.count), 0, 0, 0] + content + (content.count % 2 == 1 ? [0] : [])
        }
        func file(_ chunks: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + [UInt8(chunks.count + 4), 0, 0, 0] + Array("WEBP".utf8) + chunks
        }
        let picture = chunk("VP8 ", [1, 2, 3])
        let size: [UInt8] = [9, 0, 0, 9, 0, 0]
        let header = chunk("VP8X", [0x3C, 0, 0, 0] + size)
        let secrets = chunk("EXIF", Array("at home".utf8)) + chunk("XMP ", [1]) + chunk("ICCP", [2])
        #expect(WebP.bare(file(header + secrets + picture + secrets)) == file(picture))
        let alpha = chunk("ALPH", [4, 5])
        #expect(
            WebP.bare(file(header + alpha + picture + secrets))
                == file(chunk("VP8X", [0x10, 0, 0, 0] + size) + alpha + picture))
        #expect(WebP.bare(file(secrets)) == nil)
        #expect(WebP.bare(Array("RIFF".utf8)) == nil)
    }

    @Test func `sizes keep the picture’s form and never grow`() {
        let wide = Picture(id: ID(1), hash: "ab", alt: "", width: 1_920, height: 960)
        #expect(wide.width(.full) == 1_920 && wide.width(.card) == 720 && wide.width(.thumb) == 192)
        let tall = Picture(id: ID(1), hash: "ab", alt: "", width: 960, height: 1_920)
        #expect(tall.width(.card) == 360)
        let small = Picture(id: ID(1), hash: "ab", alt: "", width: 60, height: 40)
        #expect(small.width(.full) == 60 && small.width(.card) == 60)
        #expect(wide.link(.card).string == "/media/ab/card.webp" && wide.focusClass == "focus-5")
    }
}
