import InboxConfiguration
import InboxFiling
import InboxVarlink
import Testing

@testable import inboxctl

@Suite("Telling types")
struct TypeTests {
    @Test("Several questions are answered in their order, aligned")
    func table() {
        let expected = """
            .PDF          com.adobe.pdf  application/pdf  PDF document
            text/html     public.html    text/html        HTML page
            public.image  public.image   -                image
            xlv           a .xlv file    -                -

            """
        let run = inboxctl([
            "type", "--extension", ".PDF", "--mime=text/html", "--identifier=public.image", "--extension=xlv",
        ])
        #expect(run == Run(status: 0, output: expected, errors: ""))
    }

    @Test("The JSON has the members of the contract, the supertypes nearest first")
    func json() throws {
        let run = inboxctl([
            "type", "--json", "--extension=jpg", "--mime=image/png", "--identifier=dyn.ah62d4rv4ge81u5d0",
        ])
        let objects = try run.output.split(separator: "\n").map { try JSONValue(parsing: $0.utf8) }
        #expect(objects.count == 3)
        for object in objects {
            #expect(
                object.object?.keys.sorted() == [
                    "conformsTo", "description", "evidence", "extension", "incomplete", "mime", "mismatch", "type",
                    "unread",
                ])
        }
        #expect(objects[0]["type"] == .string("public.jpeg"))
        #expect(objects[0]["evidence"] == .string("name"))
        #expect(
            objects[0]["conformsTo"]
                == .array(["public.image", "public.data", "public.content", "public.item"].map(JSONValue.string)))
        #expect(objects[1]["extension"] == .string("png"))
        #expect(objects[2]["description"] == .null)
        #expect(objects[2]["extension"] == .string("xlv"))
    }

    @Test("Extensions are looked for under another type where one is named")
    func conformingTo() throws {
        let run = inboxctl([
            "type", "--json", "--conforming-to", "public.image", "--extension=mov", "--identifier=public.movie",
        ])
        let types = try run.output.split(separator: "\n").map { try JSONValue(parsing: $0.utf8)["type"]?.string }
        #expect(types == ["dyn.ah62d4uv4ge804550", "public.movie"])
    }

    @Test("Conformance is reported by the exit status and in words")
    func conforms() {
        #expect(
            inboxctl(["conforms", "public.JPEG", "public.image"])
                == Run(status: 0, output: "public.jpeg conforms to public.image\n", errors: ""))
        #expect(
            inboxctl(["conforms", "public.image", "public.jpeg"])
                == Run(status: 1, output: "public.image does not conform to public.jpeg\n", errors: ""))
        #expect(
            inboxctl(["conforms", "--json", "public.jpeg", "public.jpeg"]).output
                == "{\"conforms\":true,\"supertype\":\"public.jpeg\",\"type\":\"public.jpeg\"}\n")
    }
}
